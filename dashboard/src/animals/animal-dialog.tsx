// The dialog of one animal: add, change, delete, or read-only for members who may not
// change it.

import { useState } from 'react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { useLasting } from '../ui/lasting.ts'
import { Portrait } from '../ui/portrait.tsx'
import { Time } from '../ui/time.tsx'
import { AnimalForm } from './animal-form.tsx'
import type { Categories } from './categories.ts'
import { DeleteQuestion } from './delete-question.tsx'
import type { Animal } from './rows.ts'
import type { OfferUndo } from './use-status-undo.ts'
import { statusViews } from './views.ts'

const { dialog } = texts.animals

type AnimalDialogProps = Pick<DialogProps, 'onClose' | 'backTo'> & {
  /** Undefined: the dialog is closed. */
  animal: Animal | 'new' | undefined
  categories: Categories
  onAdded: (animal: Animal) => void
  onSaved: (animal: Animal) => void
  onDeleted: (animal: Animal) => void
  offerUndo: OfferUndo
}

export function AnimalDialog({ animal, onClose, backTo, ...rest }: AnimalDialogProps) {
  const shown = useLasting(animal)
  const [isDeleting, setIsDeleting] = useState(false)
  const close = () => {
    setIsDeleting(false)
    onClose()
  }
  return (
    <Dialog
      isOpen={animal !== undefined}
      onClose={close}
      backTo={backTo}
      title={titleOf(shown, isDeleting, useProject().mayEdit)}
    >
      {shown !== undefined && (
        <Content {...rest} animal={shown} isDeleting={isDeleting} onDeleting={setIsDeleting} onClose={close} />
      )}
    </Dialog>
  )
}

type ContentProps = Omit<AnimalDialogProps, 'backTo'> & {
  animal: Animal | 'new'
  isDeleting: boolean
  onDeleting: (isDeleting: boolean) => void
}

function Content({ animal, isDeleting, onDeleting, onAdded, onSaved, onDeleted, ...rest }: ContentProps) {
  const { mayEdit } = useProject()
  const { categories, onClose } = rest
  if (animal === 'new') return <AnimalForm animal={undefined} onDone={onAdded} {...rest} />
  if (!mayEdit) return <Facts animal={animal} category={categories.nameOf(animal.categoryId)} />
  if (isDeleting)
    return <DeleteQuestion animal={animal} onBack={() => onDeleting(false)} onDeleted={onDeleted} onClose={onClose} />
  return <AnimalForm animal={animal} onDone={onSaved} onDelete={() => onDeleting(true)} {...rest} />
}

function titleOf(animal: Animal | 'new' | undefined, isDeleting: boolean, mayEdit: boolean): string {
  if (animal === undefined || animal === 'new') return dialog.addTitle
  if (!mayEdit) return dialog.viewTitle
  return isDeleting ? dialog.deleteTitle(animal.name) : dialog.editTitle
}

function Facts({ animal, category }: { animal: Animal; category: string }) {
  const { label, tone } = statusViews[animal.status]
  return (
    <div className="animal-identity">
      <Portrait category={category} id={animal.id} size={72} />
      <dl className="animal-facts grow">
        <dt>{texts.animals.name}</dt>
        <dd>{animal.name}</dd>
        <dt>{texts.animals.category}</dt>
        <dd>{category}</dd>
        <dt>{texts.animals.status}</dt>
        <dd>
          <Badge tone={tone}>{label}</Badge>
        </dd>
        <dt>{texts.animals.added}</dt>
        <dd>
          <Time at={animal.createdAt} />
        </dd>
        <dt>{dialog.identifier}</dt>
        <dd className="mono">{String(animal.id)}</dd>
      </dl>
    </div>
  )
}
