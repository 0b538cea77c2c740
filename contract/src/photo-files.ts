// The files of a photo: their names, and the widths in which a photo exists. An address never changes its bytes, so
// another width, quality or encoder gets another recipe number.

/** The recipe of photos that are processed now; earlier ones keep the files that they have. */
export const RECIPE = 1
/** Of the variants for pages, in pixels; a photo has those that are not wider than itself, and at least one. */
export const VARIANT_WIDTHS = [320, 640, 960, 1600] as const
/** Longest side of the file from which later variants are made. */
export const MASTER_PIXELS = 2048
/** Longest side of the JPEG for links that are shared, feeds and mails. */
export const SHARED_PIXELS = 1200

/** A variant for pages, such as `1-640.webp`. */
export const variantFile = (recipe: number, width: number): string => `${recipe}-${width}.webp`
/** The JPEG for everything that is not a browser. */
export const sharedFile = (recipe: number): string => `${recipe}-shared.jpg`
/** Never served. */
export const masterFile = (recipe: number): string => `${recipe}-master.webp`

/** The variant that fills at least so many pixels, or the largest. */
export const widthFor = (widths: readonly number[], pixels: number): number =>
  widths.find((width) => width >= pixels) ?? widths.at(-1) ?? 0
