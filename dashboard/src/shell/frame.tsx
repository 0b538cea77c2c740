// Around every page: a word when the server cannot be reached, and the question who the person is.

import { Outlet, useRouterState, type RouterState } from '@tanstack/react-router'
import { ReauthenticationPlace } from '../accounts/reauthentication-place.tsx'
import { useIsLost } from '../connection.ts'
import * as texts from '../texts/texts.ts'
import { Loading } from '../ui/states.tsx'
import './shell.css'

export function Frame() {
  const isLost = useIsLost()
  const isLeaving = useRouterState({ select: isOnTheWayOut })
  return (
    <>
      <div role="status" aria-live="polite" className="offline-place">
        {isLost && <div className="offline">{texts.common.offline}</div>}
      </div>
      {isLeaving ? <Loading /> : <Outlet />}
      <ReauthenticationPlace />
    </>
  )
}

/**
 * The router shows a page until the next one has loaded, which it does not without a connection. Data of a person who has
 * signed out must not stay on the screen for so long.
 */
const isOnTheWayOut = ({ location, resolvedLocation }: RouterState) =>
  location.pathname === '/sign-in' && resolvedLocation?.pathname !== '/sign-in'
