// The formatting that a text in Markdown may have. A page costs the processor what its marks cost, not what its length
// costs: a story of short list items is as long as a story of sentences, and costs twenty times as much. Where a text is
// saved, one with more marks is rejected; one that is stored already is formatted up to there (`endOfFormatting`).

/** An illustrated page of 20,000 characters has 200 to 300. */
export const MARKS_MAX = 600

/**
 * Everything at which a reader of Markdown stops: line breaks, emphasis, brackets, code, quotations, headings, items and
 * the addresses of links.
 */
const mark = /\r\n?|\n|\*{1,3}|_{1,3}|[`[\]<>&\\]|(?<=\])\(|:\/\/|#(?=\s)|[-+](?=\s)|\d[.)](?=\s)/g

export const marksOf = (text: string): number => text.match(mark)?.length ?? 0

/** Where the first mark too many is; undefined if there is none. */
export function endOfFormatting(text: string): number | undefined {
  let count = 0
  for (const { index } of text.matchAll(mark)) if ((count += 1) > MARKS_MAX) return index
  return undefined
}

/** In words for the client; undefined if there is none. */
export function faultOfMarks(field: string, text: string): string | undefined {
  const marks = marksOf(text)
  return marks <= MARKS_MAX
    ? undefined
    : `'${field}' must have at most ${MARKS_MAX} line breaks and Markdown marks (such as * - # [ ]), and has ${marks}. Write fewer list items and paragraphs, or less formatting.`
}

export const MARKS_DESCRIPTION = `At most ${MARKS_MAX} line breaks and Markdown marks.`
