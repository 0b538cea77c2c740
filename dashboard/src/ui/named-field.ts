// A refusal that concerns one field begins with its name, as `'label' must have …`. So a
// form can say it beside that field.

export type NamedField = { field: string; rest: string }

export function namedField(message: string): NamedField | undefined {
  const [, field, rest] = /^'(\w+)' (.+)$/s.exec(message) ?? []
  return field === undefined || rest === undefined ? undefined : { field, rest }
}
