// Everything that can be done with a photo, also without dragging.

import { Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import {
  ArrowLeft,
  ArrowRight,
  Crosshair,
  Ellipsis,
  RotateCcw,
  RotateCw,
  Star,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import type { RefObject } from 'react'
import * as texts from '../texts/texts.ts'
import { Icon, IconButton } from '../ui/icon.tsx'

const words = texts.photos

export type PhotoActs = {
  onDetails: () => void
  /** To another place. */
  onPlace: (place: number) => void
  /** In degrees, clockwise. */
  onTurn: (degrees: 90 | 270) => void
  onDelete: () => void
}

type MenuProps = PhotoActs & {
  button: RefObject<HTMLButtonElement | null>
  place: number
  count: number
  /** It can be rotated and described. */
  isReady: boolean
}

export function PhotoMenu({ button, place, count, isReady, onDetails, onPlace, onTurn, onDelete }: MenuProps) {
  const isLast = place === count - 1
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton ref={button} of={Ellipsis} className="photo-more" aria-label={words.menu(place)} />
      </Menu.Target>
      <Menu.Dropdown>
        {place > 0 && <Item of={Star} label={words.makeCover} onClick={() => onPlace(0)} />}
        {place > 0 && <Item of={ArrowLeft} label={words.earlier} onClick={() => onPlace(place - 1)} />}
        {!isLast && <Item of={ArrowRight} label={words.later} onClick={() => onPlace(place + 1)} />}
        {count > 1 && <Menu.Divider />}
        {isReady && (
          <>
            <Item of={Crosshair} label={words.details} onClick={onDetails} />
            <Item of={RotateCcw} label={words.turnLeft} onClick={() => onTurn(270)} />
            <Item of={RotateCw} label={words.turnRight} onClick={() => onTurn(90)} />
          </>
        )}
        <Item of={Trash2} label={words.delete} onClick={onDelete} isDanger />
      </Menu.Dropdown>
    </Menu>
  )
}

type ItemProps = { of: LucideIcon; label: string; onClick: () => void; isDanger?: boolean }

const Item = ({ of, label, onClick, isDanger = false }: ItemProps) => (
  <Menu.Item leftSection={<Icon of={of} size={18} />} onClick={onClick} {...(isDanger && { 'data-tone': 'danger' })}>
    {label}
  </Menu.Item>
)
