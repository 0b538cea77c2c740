// Cards or a table: remembered on this device, since it is a matter of taste.

import { useState } from 'react'
import type { ListView } from './grid-layout.ts'

const KEY = 'petstore-animals-view'

export function useListView(): [view: ListView, setView: (view: ListView) => void] {
  const [view, setView] = useState(remembered)
  return [
    view,
    (chosen) => {
      setView(chosen)
      remember(chosen)
    },
  ]
}

/** A browser may forbid storage; then the choice lasts as long as the page. */
function remembered(): ListView {
  try {
    return localStorage.getItem(KEY) === 'table' ? 'table' : 'cards'
  } catch {
    return 'cards'
  }
}

function remember(view: ListView): void {
  try {
    localStorage.setItem(KEY, view)
  } catch {
    // As above.
  }
}
