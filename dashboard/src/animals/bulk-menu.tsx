// What else can be done with the selected animals: hide them, show them, give them a category, print them.

import { Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Copy, Ellipsis, Eye, EyeOff, Printer, Tag, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { printingOf, type BulkChange } from './bulk-change.ts'
import type { Animal } from './rows.ts'
import { usePublishedUrl } from './use-published-url.ts'

const { bulk } = texts.animals

export type BulkActs = {
  /** Without a change, a category is to be chosen. */
  onChange: (change: BulkChange | undefined) => void
  onDuplicate: (id: bigint) => void
  /** The selected animals, in the order of the list. */
  chosen: () => readonly Animal[]
}

export const BulkMenu = ({ size, ...acts }: BulkActs & { size: number }) => (
  <Menu position="top-end">
    <Menu.Target>
      <Button size="compact-sm" variant="default" leftSection={<Icon of={Ellipsis} size={14} />}>
        {bulk.more}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Items isOne={size === 1} {...acts} />
    </Menu.Dropdown>
  </Menu>
)

/** Rendered while the menu is open. */
function Items({ isOne, onChange, onDuplicate, chosen }: BulkActs & { isOne: boolean }) {
  const siteUrl = usePublishedUrl()
  const animals = chosen()
  const [first] = animals
  const printing = printingOf(siteUrl, animals)
  return (
    <>
      <Item of={EyeOff} label={bulk.hide.label} onClick={() => onChange({ isHidden: true })} />
      <Item of={Eye} label={bulk.show.label} onClick={() => onChange({ isHidden: false })} />
      <Item of={Tag} label={bulk.category.label} onClick={() => onChange(undefined)} />
      {'href' in printing ? (
        <Menu.Item
          component="a"
          href={printing.href}
          target="_blank"
          rel="noreferrer"
          leftSection={<Icon of={Printer} size={18} />}
        >
          {bulk.print(printing.count)} <span className="visually-hidden">{texts.profiles.newWindow}</span>
        </Menu.Item>
      ) : (
        // It keeps its place among the others, so that the reason is read there too.
        <Menu.Item aria-disabled closeMenuOnClick={false} leftSection={<Icon of={Printer} size={18} />}>
          {bulk.print(animals.length)}
          <span className="bulk-reason quiet tiny">{printing.reason}</span>
        </Menu.Item>
      )}
      {isOne && first && <Item of={Copy} label={texts.profiles.duplicate} onClick={() => onDuplicate(first.id)} />}
    </>
  )
}

const Item = ({ of, label, onClick }: { of: LucideIcon; label: string; onClick: () => void }) => (
  <Menu.Item leftSection={<Icon of={of} size={18} />} onClick={onClick}>
    {label}
  </Menu.Item>
)
