// How much of a story fits on the printable page of an animal. Everything has to be on one sheet, and a server knows no
// heights, so lines are counted by the length of texts. The photo takes what is left, and what is still too long is cut
// off by the style sheet (assets/styles/print.css): a wrong count costs a line, never a second sheet.

/** What stands on the sheet besides the story. */
export type SheetTexts = {
  name: string
  headline: string
  /** The values of the facts, in order. */
  facts: readonly string[]
  /** How many lines there are beside the facts, and the note among them. */
  checks: number
  note: string
}

/** In lines of running text, of which a photo leaves so many if it is to be a large one. */
const LINES = 20
/** Widths in characters: of a line of each, on the narrower paper. */
const width = { story: 88, name: 21, headline: 66, fact: 18, note: 30 } as const
/** Heights in lines. */
const height = { name: 2.2, headline: 1.3, label: 0.8, factGap: 0.4, frame: 1.5, gap: 0.7, paragraphGap: 0.3 } as const
const FACTS_IN_ROW = 3
const FACT_LINES_MAX = 2

/** For the story, in whole lines. */
export function linesLeft({ name, headline, facts, checks, note }: SheetTexts): number {
  const rows = Array.from({ length: Math.ceil(facts.length / FACTS_IN_ROW) }, (_, row) =>
    facts.slice(row * FACTS_IN_ROW, (row + 1) * FACTS_IN_ROW),
  )
  const factLines = rows.reduce((sum, row) => sum + height.label + height.factGap + tallestOf(row), 0)
  const checkLines = checks + linesOf(note, width.note)
  const beside = Math.max(factLines, checkLines)
  const used =
    linesOf(name, width.name) * height.name +
    linesOf(headline, width.headline) * height.headline +
    (beside > 0 ? beside + height.frame : 0) +
    height.gap
  return Math.max(0, Math.floor(LINES - used))
}

const tallestOf = (row: readonly string[]) =>
  Math.min(FACT_LINES_MAX, Math.max(...row.map((value) => linesOf(value, width.fact))))

const linesOf = (text: string, perLine: number): number => Math.ceil(widthOf(text) / perLine)

const isWide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\p{Extended_Pictographic}]/u
const isCapital = /[\p{Lu}mw]/u

/** In average letters. */
const widthOf = (text: string): number => Array.from(text).reduce((sum, character) => sum + unitsOf(character), 0)
const unitsOf = (character: string) => (isWide.test(character) ? 2.1 : isCapital.test(character) ? 1.4 : 1)

/** The first paragraphs that fit into so many lines; the last one may end early. */
export function beginningOf(paragraphs: readonly string[], lines: number): string[] {
  const shown: string[] = []
  let left = lines
  for (const paragraph of paragraphs) {
    const needed = linesOf(paragraph, width.story)
    if (needed <= left) shown.push(paragraph)
    else if (left >= 1) shown.push(cut(paragraph, Math.floor(left) * width.story))
    left -= needed + height.paragraphGap
    if (left < 1) break
  }
  return shown
}

/** Room for the end of a line that a word leaves empty, and for the dots. */
const LOSS = 8

/** After the last whole word that fits. */
function cut(text: string, units: number): string {
  let unitsLeft = units - LOSS
  const fitting = Array.from(text).filter((character) => (unitsLeft -= unitsOf(character)) >= 0)
  const whole = fitting.join('').replace(/(?<!\s)\s+\S*$/, '')
  return `${whole.replace(/(?<![\s,;:.–-])[\s,;:.–-]+$/, '')} …`
}
