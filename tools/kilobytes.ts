/** As people read sizes. */
export const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
