// Proposes a short name from the name of a store: the part that a hostname can contain.
// The server decides whether it is available.

const LENGTH_MAX = 63

/** Letters that are no letter with a mark on it. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', þ: 'th' }

export function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[ßæœøłđþ]/g, (letter) => spelled[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  const slug = trimmed(trimmed(plain).slice(0, LENGTH_MAX))
  return /^[0-9-]+$/.test(slug) ? `shop-${slug}` : slug
}

const trimmed = (slug: string) => slug.replaceAll(/^-+|-+$/g, '')

/** The input of the field, without obvious slips. */
export const typedSlug = (typed: string): string => typed.toLowerCase().replaceAll(/\s+/g, '-')
