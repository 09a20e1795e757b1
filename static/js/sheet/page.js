// Page: the form of the sheet, and what the server says once for all scripts of it.

export const form = document.getElementById("f");
export const data = JSON.parse(document.getElementById("page-data").textContent);
