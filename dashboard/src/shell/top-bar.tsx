// The frames of pages without a project: those of a signed-in person, and those of a visitor.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { query } from '../api.ts'
import * as texts from '../texts/texts.ts'
import { Logo } from '../ui/logo.tsx'
import { PersonPlace } from './menu-place.tsx'
import { useTimeZone } from './time-zone.ts'

export function usePersonName(): string {
  const account = useQuery(query('getAccount'))
  useTimeZone(account.data)
  return account.data?.name ?? texts.common.nav.account
}

/** Hidden until it has the focus: the first stop of the keyboard. */
export const SkipLink = () => (
  <a className="skip" href="#content">
    {texts.common.skip}
  </a>
)

export const Brand = () => (
  <Link to="/projects" className="brand" activeOptions={{ exact: true }}>
    <Logo />
    {texts.common.product}
  </Link>
)

/** A page of a person, without a project. */
export const PersonalPage = ({ children }: { children: ReactNode }) => (
  <>
    <SkipLink />
    <header className="top personal">
      <Brand />
      <PersonPlace name={usePersonName()} isSmall />
    </header>
    <main id="content" tabIndex={-1} className="content narrow">
      {children}
    </main>
  </>
)

/** A page for a visitor who may not be signed in. */
export const OpenPage = ({ children }: { children: ReactNode }) => (
  <main id="content" tabIndex={-1} className="content open">
    <p className="brand">
      <Logo />
      {texts.common.product}
    </p>
    {children}
  </main>
)
