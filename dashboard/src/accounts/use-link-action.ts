// The one thing that a page does which is opened by a mailed link. Nothing happens until the person presses the button,
// because programs that check mails for viruses open links.

import { useState } from 'react'
import { useAction } from '../api.ts'
import { wordsFor } from '../ui/field-errors.ts'
import { useStep } from '../ui/use-step.ts'
import { isUnusable, useLinkSecret } from './link-secret.ts'

export type LinkStep = 'ask' | 'done' | 'unusable'

const paths = {
  secureAccount: '/secure',
  confirmEmailChange: '/confirm-email',
  undoEmailChange: '/undo-email',
  signInWithLink: '/sign-in-link',
} as const
export type LinkOperation = keyof typeof paths

export function useLinkAction(operation: LinkOperation, onDone: () => void) {
  const [step, setStep] = useStep<LinkStep>('ask')
  const [fault, setFault] = useState<string>()
  const secret = useLinkSecret(paths[operation], () => setStep('ask'))
  const { isPending, mutate } = useAction(operation, {
    onDone: () => {
      onDone()
      setStep('done')
    },
    onRefused: (error) => {
      if (isUnusable(error)) setStep('unusable')
      else setFault(wordsFor(error))
      return true
    },
  })
  const shown: LinkStep = secret === '' ? 'unusable' : step
  return { step: shown, fault, isPending, act: () => mutate({ body: { secret } }) }
}
