// Parses the field name of a refusal that concerns one field and begins with it, as
// `'label' must have …`. So a form can show it next to that field.

export type NamedField = { field: string; rest: string }

export function namedField(message: string): NamedField | undefined {
  const [, field, rest] = /^'(\w+)' (.+)$/s.exec(message) ?? []
  return field === undefined || rest === undefined ? undefined : { field, rest }
}
