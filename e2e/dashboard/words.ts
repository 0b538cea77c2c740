// Texts of the dashboard with a gap in them, where a test cannot know what stands there,
// such as the time at which something was done.

/** Given to a text in place of what is not known. */
export const ANY = '\u{fffc}'

/** The whole text, with something in each of its gaps. */
export function withAny(text: string): RegExp {
  const pieces = text.split(ANY).map((piece) => RegExp.escape(piece))
  return new RegExp(`^${pieces.join('.+')}$`)
}
