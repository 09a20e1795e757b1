"""A step as a picture in SVG."""
