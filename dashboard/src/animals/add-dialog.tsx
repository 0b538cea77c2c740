// The dialog that adds an animal: its name and kind. Everything else is on its page, which opens afterwards.

import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { AddForm, type AddFormProps } from './add-form.tsx'

type AddDialogProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'backTo'> & AddFormProps

export const AddDialog = ({ isOpen, onClose, backTo, ...form }: AddDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} backTo={backTo} title={texts.animals.dialog.addTitle}>
    <AddForm {...form} />
  </Dialog>
)
