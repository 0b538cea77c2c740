// The errors of a form. The focus moves to the first invalid field, so that people find
// it at once and screen readers announce it.

import { useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Faults } from './field-errors.ts'

export function useFaults<Field extends string>(): {
  form: RefObject<HTMLFormElement | null>
  faults: Faults<Field>
  show: (faults: Faults<Field>) => void
} {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults<Field>>({})
  const show = (next: Faults<Field>) => {
    // On the page at once, for only then is there a field to go to.
    flushSync(() => setFaults(next))
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  return { form, faults, show }
}
