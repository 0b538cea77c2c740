// Where the list is in the page, and how wide it is.

import { useMediaQuery } from '@mantine/hooks'
import { useLayoutEffect, useState, type RefObject } from 'react'
import type { GridArea } from './grid-layout.ts'

/** `top`: from the beginning of the page, in pixels. The width is 0 until it is known, which is before it is painted. */
export function useGridArea(list: RefObject<HTMLElement | null>): GridArea & { top: number } {
  const isPhone = useMediaQuery('(max-width: 40rem)', undefined, { getInitialValueInEffect: false })
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const [box, setBox] = useState({ top: 0, width: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => {
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY)
      const width = element.clientWidth
      setBox((known) => (known.top === top && known.width === width ? known : { top, width }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // What stands above the list moves it when it grows, as filters that wrap do.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return { ...box, rem, isPhone }
}
