import { useState } from 'react'

/** What was there last: a dialog that fades away still shows what it was about. */
export function useLasting<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
