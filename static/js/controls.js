// Controls: only what applies to the chosen form is shown; the conditions come from the server with each field.

/** Show the fields whose conditions hold, hide the others. */
export function applyConditions(form) {
  const fields = [...form.querySelectorAll("[data-only]")];
  for (const field of fields) field.hidden = !holds(form, field.dataset.only);
}

const holds = (form, conditions) => conditions.split(";").every((condition) => {
  const [name, values] = condition.split("=");
  const other = form.elements[name];
  return values.split(",").includes(other.value || other.placeholder);
});

/** True for a field that has no part in the chosen form. */
export const isIdle = (field) => Boolean(field?.closest?.("[data-only]")?.hidden);
