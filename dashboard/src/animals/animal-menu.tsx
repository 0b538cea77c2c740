// What else can be done with an animal: duplicate it, print it, delete it.

import { Menu } from '@mantine/core'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Copy, Ellipsis, Printer, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import * as texts from '../texts/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon, IconButton } from '../ui/icon.tsx'
import { DeleteQuestion } from './delete-question.tsx'

const words = texts.profiles

type MenuProps = {
  animal: { id: bigint; name: string }
  /** Of its printable page; undefined if it is not on the site. */
  printUrl: string | undefined
  onDuplicate: () => void
  onDeleted: () => void
}

export function AnimalMenu({ animal, printUrl, onDuplicate, onDeleted }: MenuProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsDeleting(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton ref={button} of={Ellipsis} variant="default" aria-label={words.menu(animal.name)} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon of={Copy} size={18} />} onClick={onDuplicate}>
            {words.duplicate}
          </Menu.Item>
          {printUrl !== undefined && (
            <Menu.Item
              component="a"
              href={printUrl}
              target="_blank"
              rel="noreferrer"
              leftSection={<Icon of={Printer} size={18} />}
            >
              {words.print} <span className="visually-hidden">{words.newWindow}</span>
            </Menu.Item>
          )}
          <Menu.Item
            data-tone="danger"
            leftSection={<Icon of={Trash2} size={18} />}
            onClick={() => setIsDeleting(true)}
          >
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog title={texts.animals.dialog.deleteTitle(animal.name)} isOpen={isDeleting} onClose={close} backTo={button}>
        <DeleteQuestion animal={animal} onBack={close} onDeleted={onDeleted} onClose={close} />
      </Dialog>
    </>
  )
}
