// Moving a photo among the others: by keys (Space, arrows, Space), or by a pointer. A mouse drags at once; a finger
// holds first, since it otherwise scrolls the page. Until it is dropped, only this page shows the new order.

import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import * as texts from '../texts/texts.ts'
import { isSameOrder, movedTo, placeAfter, placeAt, type Point } from './photo-order.ts'

const words = texts.photos
/** In pixels: a hand that only presses moves less. */
const DRAG_FROM = 6
const HOLD_MS = 350

type Moving = { id: string; ids: readonly string[]; by: 'keys' | 'pointer'; at?: Point }
/** A pointer that is down and has not moved anything yet. */
type Pressed = { id: string; from: Point; isMouse: boolean; timer: ReturnType<typeof setTimeout> | undefined }

type Options = {
  list: RefObject<HTMLElement | null>
  ids: readonly string[]
  onOrder: (ids: readonly string[]) => void
  say: (text: string) => void
}

export function usePhotoMoves({ list, ids, onOrder, say }: Options) {
  const [moving, setMoving] = useState<Moving>()
  const pressed = useRef<Pressed>(undefined)
  /** A drag ends with a click, which means nothing. */
  const hasDragged = useRef(false)
  const shown = moving?.ids ?? ids
  const count = ids.length

  const begin = (id: string, by: Moving['by'], at?: Point) => {
    setMoving({ id, ids, by, ...(at && { at }) })
    say(words.pickedUp(ids.indexOf(id), count))
  }
  const moveTo = (place: number, at?: Point) => {
    if (!moving) return
    const next = movedTo(moving.ids, moving.id, place)
    setMoving({ ...moving, ids: next, ...(at && { at }) })
    if (!isSameOrder(next, moving.ids)) say(words.at(place, count))
  }
  const drop = () => {
    if (!moving) return
    setMoving(undefined)
    say(words.dropped(moving.ids.indexOf(moving.id), count))
    if (!isSameOrder(moving.ids, ids)) onOrder(moving.ids)
  }
  const putBack = () => {
    if (!moving) return
    setMoving(undefined)
    say(words.putBack(ids.indexOf(moving.id), count))
  }
  const letGo = () => {
    clearTimeout(pressed.current?.timer)
    pressed.current = undefined
  }

  // An element that changes its place in the page loses the focus.
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focused.current !== undefined) tileOf(list.current, focused.current)?.focus()
    focused.current = undefined
  }, [list, shown])

  const isPointerDragging = moving?.by === 'pointer'
  useEffect(() => {
    const element = list.current
    if (!isPointerDragging || !element) return
    // Otherwise the page scrolls under the finger.
    const stay = (event: TouchEvent) => event.preventDefault()
    element.addEventListener('touchmove', stay, { passive: false })
    return () => element.removeEventListener('touchmove', stay)
  }, [list, isPointerDragging])

  const propsOf = (id: string) => ({
    onKeyDown(event: KeyboardEvent) {
      const { key } = event
      if (key === ' ') {
        if (moving) drop()
        else if (count > 1) begin(id, 'keys')
      } else if (!moving) return
      else if (key === 'Escape') putBack()
      else if (key === 'Tab') return drop()
      else {
        const place = placeAfter(key, moving.ids.indexOf(id), count)
        if (place === undefined) return
        focused.current = id
        moveTo(place)
      }
      event.preventDefault()
    },
    onKeyUp(event: KeyboardEvent) {
      // It would press the button.
      if (event.key === ' ') event.preventDefault()
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      hasDragged.current = false
      if (event.button !== 0 || count < 2) return
      const { currentTarget, pointerId, pointerType, clientX: x, clientY: y } = event
      const isMouse = pointerType === 'mouse'
      const hold = () => {
        currentTarget.setPointerCapture(pointerId)
        begin(id, 'pointer', { x, y })
      }
      letGo()
      pressed.current = { id, from: { x, y }, isMouse, timer: isMouse ? undefined : setTimeout(hold, HOLD_MS) }
    },
    onPointerMove({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent<HTMLElement>) {
      const down = pressed.current
      if (moving?.by === 'pointer') {
        hasDragged.current = true
        const boxes = [...(list.current?.querySelectorAll('[data-photo]') ?? [])].map((tile) =>
          tile.getBoundingClientRect(),
        )
        return moveTo(placeAt(boxes, { x, y }), { x, y })
      }
      if (!down || Math.hypot(x - down.from.x, y - down.from.y) < DRAG_FROM) return
      // A finger that moves before it has held scrolls.
      if (!down.isMouse) return letGo()
      currentTarget.setPointerCapture(pointerId)
      begin(id, 'pointer', { x, y })
    },
    onPointerUp() {
      letGo()
      if (moving?.by === 'pointer') drop()
    },
    onPointerCancel() {
      letGo()
      if (moving?.by === 'pointer') putBack()
    },
    onContextMenu(event: { preventDefault: () => void }) {
      // Holding a finger opens one on some phones.
      if (pressed.current?.isMouse === false) event.preventDefault()
    },
  })

  return {
    shown,
    moving,
    propsOf,
    /** Whether a click is the end of a drag. */
    wasDrag: () => hasDragged.current,
    /** For the menu: moves one by one step, or to the front. */
    place(id: string, to: number) {
      const next = movedTo(ids, id, to)
      say(words.at(next.indexOf(id), count))
      onOrder(next)
    },
  }
}

const tileOf = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"] > button`)
