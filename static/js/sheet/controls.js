// Controls: only what applies to the chosen form is shown; the conditions come from the server with each field.

/** Show the fields whose conditions hold, hide the others. */
export function applyConditions(form) {
  const fields = [...form.querySelectorAll("[data-only]")];
  for (const field of fields) field.hidden = !holds(form, field.dataset.only);
}

/** A field that itself has no part hinders too: no window without a mask, no mask in a state space. */
const holds = (form, conditions) => conditions.split(";").every((condition) => {
  const [name, values] = condition.split("=");
  const other = form.elements[name];
  const deeper = other.closest("[data-only]")?.dataset.only;
  return values.split(",").includes(other.value || other.placeholder) && (!deeper || holds(form, deeper));
});

/** True for a field that has no part in the chosen form. */
export const isIdle = (field) => Boolean(field?.closest?.("[data-only]")?.hidden);
