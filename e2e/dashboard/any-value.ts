// Texts with a value in them that only the page knows, such as the time at which something
// was saved. Tests look for the whole of such a text, wherever in it the value stands.

/** No text has it. */
const PLACE = '\u0000'

export const withAnyValue = (text: (value: string) => string): RegExp =>
  new RegExp(`^${text(PLACE).split(PLACE).map(asPattern).join('.+')}$`)

/** A text as it is, in a pattern. */
export const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
