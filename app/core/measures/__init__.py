"""What can be measured of attention: cost, traffic, differences, distances."""
