// The contrast of text on a page, checked by axe once for each look: its colour, its size, and what it and the elements
// that contain it paint behind it.

type Looks = {
  /** Looks that are known to have enough contrast. */
  sufficient: readonly string[]
  /** Selects what is left out. */
  without: string
  /** Of axe. */
  options: object
}
type Checked = { faults: string[]; looks: string[] }

type Node = { html: string; element: Element }
type Axe = {
  run: (
    context: { include: readonly Element[] },
    options: object,
  ) => Promise<Record<'violations' | 'passes', { nodes: Node[] }[]>>
}

/** Runs in the page, which has axe. What axe cannot decide, as behind a dialog, is checked again on the next page. */
export async function checkLooks({ sufficient, without, options }: Looks): Promise<Checked> {
  const { axe } = window as unknown as { axe: Axe }
  const known = new Set(sufficient)

  const grounds = new Map<Element, string>()
  const groundOf = (element: Element): string => {
    const before = grounds.get(element)
    if (before !== undefined) return before
    const style = getComputedStyle(element)
    const own = [
      style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor,
      style.backgroundImage === 'none' ? '' : style.backgroundImage,
      style.opacity === '1' ? '' : style.opacity,
      style.filter === 'none' ? '' : style.filter,
      style.mixBlendMode === 'normal' ? '' : style.mixBlendMode,
    ].join('')
    const ground = (element.parentElement ? groundOf(element.parentElement) : '') + (own && ` ${own}`)
    grounds.set(element, ground)
    return ground
  }
  const lookOf = (element: Element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return [groundOf(element), color, fontSize, fontWeight, textShadow].join(' | ')
  }
  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some(({ nodeType, data }: ChildNode & { data?: string }) => nodeType === 3 && data?.trim())
  const isSeen = (element: Element) => element.getBoundingClientRect().width > 1 && element.closest(without) === null

  const texts = Map.groupBy(
    [...document.body.querySelectorAll('*')].filter((element) => hasText(element) && isSeen(element)),
    lookOf,
  )
  const check = async (pick: (alike: readonly Element[]) => readonly Element[]): Promise<string[]> => {
    const include = [...texts].filter(([look]) => !known.has(look)).flatMap(([, alike]) => pick(alike))
    if (include.length === 0) return []
    const { violations, passes } = await axe.run(
      { include },
      { ...options, runOnly: ['color-contrast'], resultTypes: ['violations', 'passes'], elementRef: true },
    )
    for (const { element } of passes.flatMap(({ nodes }) => nodes)) known.add(lookOf(element))
    return violations.flatMap(({ nodes }) => nodes).map(({ html }) => `color-contrast: ${html}`)
  }
  const faults = await check(([first]) => (first ? [first] : []))
  // Of a look whose first text was covered, or failed: all of them.
  const more = await check((alike) => alike)
  return { faults: [...new Set([...faults, ...more])], looks: [...known.difference(new Set(sufficient))] }
}
