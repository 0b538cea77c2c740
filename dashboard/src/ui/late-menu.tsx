// A menu that is loaded after the page, which is readable without it. Its button is shown
// from the start; the menu, with a button of its own, replaces it between two presses,
// never during one, and an earlier press is passed on, so that one press is enough.

import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'

/** What a person did with the button before there was a menu. */
export type Touch = 'reached' | 'pressed' | undefined

type Watched = Pick<ComponentProps<'button'>, 'onFocus' | 'onPointerDown' | 'onKeyDown' | 'onClick' | 'onBlur'>
type Menu<Shown> = (props: Shown & { touch: Touch }) => ReactNode

/** `Stand` is the button that is shown until the menu is loaded. Once it is, it is there with every page. */
export function lateMenu<Shown extends object>(
  Stand: (props: Shown & Watched) => ReactNode,
  load: () => Promise<Menu<Shown>>,
): (shown: Shown) => ReactNode {
  let known: Menu<Shown> | undefined
  const loadOnce = retryWhenOnline(async () => (known ??= await load()))

  /**
   * Undefined until it is loaded. A failure to load is a failure of the page, which then checks for a new
   * version.
   */
  function useMenu(): Menu<Shown> | undefined {
    const [came, setCame] = useState<{ menu: Menu<Shown> } | { failure: unknown } | undefined>(known && { menu: known })
    useEffect(() => {
      if (known) return
      loadOnce().then(
        (menu) => setCame({ menu }),
        (failure: unknown) => setCame({ failure }),
      )
    }, [])
    if (came && 'failure' in came) throw came.failure
    return came?.menu
  }

  return function LateMenu(shown) {
    const Menu = useMenu()
    const [touch, setTouch] = useState<Touch>()
    /** A button that goes between the pressing and the letting go is one that was not pressed. */
    const [isHeld, setIsHeld] = useState(false)
    if (Menu && !isHeld) return <Menu {...shown} touch={touch} />
    const letGo = (left: Touch) => {
      setIsHeld(false)
      setTouch(left)
    }
    return (
      <Stand
        {...shown}
        onFocus={() => setTouch('reached')}
        onPointerDown={() => setIsHeld(true)}
        onKeyDown={({ key }) => key === ' ' && setIsHeld(true)}
        onClick={() => letGo('pressed')}
        onBlur={() => letGo(undefined)}
      />
    )
  }
}

/**
 * A press before loading opens the menu now; the focus is kept. Opened after the button is there, so that
 * closing the menu returns to it.
 */
export function useTouch(touch: Touch) {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(touch === 'pressed'), [touch])
  return { menu: { opened, onChange: setOpened }, button: { autoFocus: touch !== undefined } }
}
