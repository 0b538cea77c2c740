// The frame of the pages by which people come in: what they fill in on one half, the animals on the other. On phones
// the drawing is a band above. Its place is there before it has arrived, so nothing moves.

import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import welcome from '../ui/art/welcome.svg'
import { Logo } from '../ui/logo.tsx'
import './accounts.css'

export const WelcomeFrame = ({ children }: { children: ReactNode }) => (
  <div className="halves">
    <main id="content" tabIndex={-1} className="content halves-form">
      {/* In a place of its own: what is loaded below does not move it. */}
      <p className="brand">
        <Logo />
        {texts.common.product}
      </p>
      <div className="halves-page">{children}</div>
    </main>
    <img className="halves-art" src={welcome} alt="" width={720} height={800} />
  </div>
)
