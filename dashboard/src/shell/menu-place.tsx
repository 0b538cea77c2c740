// The place of a menu at the top. Its button stands there from the start; the menu, with a
// button of its own, is loaded after the page. The one takes the place of the other between
// two presses, never during one, and what somebody did before is handed on: nobody has to
// press twice.

import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { patiently } from '../parts.ts'

/** What somebody did with the button before there was a menu. */
export type Touch = 'reached' | 'pressed' | undefined
export type MenuProps = { name: string; touch: Touch }
type Menus = typeof import('./menus.tsx')
type ButtonOfMenu = Omit<ComponentProps<'button'>, keyof ButtonProps> & ButtonProps & { name: string }

export const PersonButton = ({ name, ...rest }: ButtonOfMenu) => (
  <Button variant="subtle" size="sm" className="person" aria-haspopup="menu" {...rest}>
    {name}
  </Button>
)

export const ProjectButton = ({ name, ...rest }: ButtonOfMenu) => (
  <Button variant="default" size="sm" className="switcher" aria-haspopup="menu" {...rest}>
    {name} ▾
  </Button>
)

export const PersonPlace = ({ name }: { name: string }) => (
  <Place name={name} button={PersonButton} menuOf={({ PersonMenu }) => PersonMenu} />
)

export const ProjectPlace = ({ name }: { name: string }) => (
  <Place name={name} button={ProjectButton} menuOf={({ ProjectMenu }) => ProjectMenu} />
)

function Place(place: {
  name: string
  button: (props: ButtonOfMenu) => ReactNode
  menuOf: (menus: Menus) => (props: MenuProps) => ReactNode
}) {
  const menus = useMenus()
  const [touch, setTouch] = useState<Touch>()
  /** A button that goes between the pressing and the letting go is one that was not pressed. */
  const [isHeld, setIsHeld] = useState(false)
  if (menus && !isHeld) {
    const Menu = place.menuOf(menus)
    return <Menu name={place.name} touch={touch} />
  }
  const letGo = (left: Touch) => {
    setIsHeld(false)
    setTouch(left)
  }
  return (
    <place.button
      name={place.name}
      onFocus={() => setTouch('reached')}
      onPointerDown={() => setIsHeld(true)}
      onKeyDown={({ key }) => key === ' ' && setIsHeld(true)}
      onClick={() => letGo('pressed')}
      onBlur={() => letGo(undefined)}
    />
  )
}

/** Once they are loaded, they are there with every page. */
let known: Menus | undefined
const load = patiently(async () => (known ??= await import('./menus.tsx')))

/** Undefined until they are loaded. That they cannot be is a failure of the page, which then looks for a new version. */
function useMenus(): Menus | undefined {
  const [came, setCame] = useState<{ menus: Menus } | { failure: unknown } | undefined>(known && { menus: known })
  useEffect(() => {
    if (known) return
    load().then(
      (menus) => setCame({ menus }),
      (failure: unknown) => setCame({ failure }),
    )
  }, [])
  if (came && 'failure' in came) throw came.failure
  return came?.menus
}
