// Around every page: a word when the server cannot be reached, and the question who the person is.

import { Outlet } from '@tanstack/react-router'
import { ReauthenticationPlace } from '../accounts/reauthentication-place.tsx'
import { useIsLost } from '../connection.ts'
import * as texts from '../texts/texts.ts'
import './shell.css'

export function Frame() {
  const isLost = useIsLost()
  return (
    <>
      <div role="status" aria-live="polite" className="offline-place">
        {isLost && <div className="offline">{texts.common.offline}</div>}
      </div>
      <Outlet />
      <ReauthenticationPlace />
    </>
  )
}
