// What is wrong with a form. The keyboard goes to the first field that has to be changed,
// so that nobody has to look for it, and those who hear the page hear of it.

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
