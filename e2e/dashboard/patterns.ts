// Patterns made of the dashboard's own texts, where a test cannot know the whole of what
// is on the page.

/** What is put in stands for itself, the rest is a pattern: pattern`${label}\s+${value}`. */
export const pattern = ({ raw }: TemplateStringsArray, ...texts: readonly string[]): RegExp =>
  new RegExp(String.raw({ raw }, ...texts.map((text) => RegExp.escape(text))))

/** A whole text with something in it that is not known, such as a time. */
export const textWith = (text: (unknown: string) => string): RegExp => {
  const parts = text('\0').split('\0')
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`)
}
