// Relations between DNS names. Names are lower case and without the last dot.

export const isWithin = (name: string, zone: string): boolean =>
  zone === '' || name === zone || name.endsWith(`.${zone}`)

export const isBelow = (name: string, zone: string): boolean => name !== zone && isWithin(name, zone)

/** The name and all its ancestors, the longest first, without the root. */
export const namesUpward = (name: string): string[] =>
  name.split('.').map((_, index, labels) => labels.slice(index).join('.'))
