// On the page of a copy: what was not copied, and that visitors do not see it yet. The focus is in its name, which is
// the first thing to change. Gone once the animal is shown, and not there when the page is opened again.

import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import * as texts from '../texts/texts.ts'
import { placeOf } from './profile-form.ts'

export function CopyNote({ isHidden }: { isHidden: boolean }) {
  const isCopy = useLocation({ select: ({ state }) => state.isCopy === true })
  useEffect(() => {
    const name = isCopy ? document.getElementById(placeOf('name')) : null
    if (name instanceof HTMLInputElement) name.select()
  }, [isCopy])
  return (
    <div role="status" className="copy-note">
      {isCopy && isHidden && <div className="note">{texts.profiles.isCopy}</div>}
    </div>
  )
}
