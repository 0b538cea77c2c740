// The step of a page that changes as a whole. The button that leads to the next step is gone with its own, so the
// focus moves to the content, and screen readers read the page from its new heading.

import { useEffect, useRef, useState } from 'react'
import { takeLostFocus } from '../ui/focus.ts'

export function useStep<Step>(first: Step): [step: Step, setStep: (step: Step) => void] {
  const [step, setStep] = useState(first)
  const shown = useRef(first)
  useEffect(() => {
    if (shown.current !== step) takeLostFocus(document.getElementById('content'))
    shown.current = step
  }, [step])
  return [step, setStep]
}
