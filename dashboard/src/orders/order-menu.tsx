// What a member can do with a request, in a menu: the same as by dragging its card, and more.

import type { ManagedOrder, OrderMove } from '@petstore-platform/contract/platform/orders'
import { Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Ellipsis, Hourglass, LockOpen, Undo2 } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon, IconButton } from '../ui/icon.tsx'
import { visitorName } from '../ui/visitor-name.ts'
import { isUndoable, type Moves } from './use-moves.tsx'
import { animalOf, moveViews, offered } from './views.ts'

const words = texts.orders

type MenuProps = {
  order: ManagedOrder
  moves: Moves
  now: number
  /** Offered elsewhere on the page. */
  isWithout?: readonly OrderMove[]
}

export function OrderMenu({ order, moves, now, isWithout = [] }: MenuProps) {
  const { kind } = useProject()
  const animal = animalOf(order)
  const shown = offered(order).filter((move) => !isWithout.includes(move))
  const canUndo = isUndoable(order, now)
  if (shown.length === 0 && !order.isHolding && !order.mayHold && !canUndo) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton
          of={Ellipsis}
          size="compact-sm"
          className="order-more"
          aria-label={words.menu(animal, visitorName(order))}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {canUndo && (
          <Menu.Item leftSection={<Icon of={Undo2} size={18} />} onClick={() => moves.undo(order)}>
            {words.undo}
          </Menu.Item>
        )}
        {shown.map((move) => {
          const { action, icon, isForward } = moveViews[move]
          return (
            <Menu.Item
              key={move}
              leftSection={<Icon of={icon} size={18} />}
              onClick={() => moves.move(order, move)}
              {...(!isForward && { 'data-tone': 'danger' })}
            >
              {action(order, kind)}
            </Menu.Item>
          )
        })}
        {order.isHolding ? (
          <Menu.Item leftSection={<Icon of={LockOpen} size={18} />} onClick={() => moves.release(order)}>
            {words.hold.releaseOf(animal)}
          </Menu.Item>
        ) : (
          order.mayHold && (
            <Menu.Item leftSection={<Icon of={Hourglass} size={18} />} onClick={() => moves.hold(order)}>
              {words.hold.action(animal)}
            </Menu.Item>
          )
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
