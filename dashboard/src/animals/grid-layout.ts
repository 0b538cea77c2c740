// The measures of the list in pixels: how many animals stand side by side, and how high a line of them is. They are
// computed, not measured, so a list of a hundred thousand is as high as it will be before any of it is loaded. Pure.
// The sizes are those of animals.css.

export type ListView = 'cards' | 'table'
export type GridLayout = { columns: number; lineHeight: number; headHeight: number }
/** The area for it: `rem` in pixels, since larger text needs higher lines. */
export type GridArea = { width: number; rem: number; isPhone: boolean }

const CARD_WIDTH_MIN = 12.5
/** Below the square picture of a card. */
const CARD_TEXT_HEIGHT = 5.75

export function layoutOf(view: ListView, { width, rem, isPhone }: GridArea): GridLayout {
  if (view === 'table')
    return { columns: 1, lineHeight: (isPhone ? 4.25 : 3.75) * rem, headHeight: isPhone ? 0 : 2.75 * rem }
  const gap = (isPhone ? 0.75 : 1) * rem
  const columns = Math.max(2, Math.floor((width + gap) / (CARD_WIDTH_MIN * rem + gap)))
  const picture = Math.max(0, (width - (columns - 1) * gap) / columns)
  return { columns, lineHeight: picture + CARD_TEXT_HEIGHT * rem + gap, headHeight: 0 }
}
