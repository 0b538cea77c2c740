// The top bar of every page of a signed-in person: the location, and the account menu.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { query } from '../api.ts'
import { texts } from '../texts/texts.ts'
import { PersonPlace, ProjectPlace } from './menu-place.tsx'

/** Without a project on the pages that have none. */
export function TopBar({ project }: { project?: string }) {
  const account = useQuery(query('getAccount'))
  const name = account.data?.name ?? texts.common.nav.account
  return (
    <header className="top-bar">
      <a className="skip" href="#content">
        {texts.common.skip}
      </a>
      <div className="row top-bar-left">
        <Link to="/projects" className="brand">
          {texts.common.product}
        </Link>
        {project !== undefined && <ProjectPlace name={project} />}
      </div>
      <PersonPlace name={name} />
    </header>
  )
}

/** A page of a person, without a project. */
export const PersonalPage = ({ children }: { children: ReactNode }) => (
  <>
    <TopBar />
    <main id="content" tabIndex={-1} className="content narrow">
      {children}
    </main>
  </>
)

/** A page for a visitor who may not be signed in. */
export const OpenPage = ({ children }: { children: ReactNode }) => (
  <main id="content" tabIndex={-1} className="content open">
    <p className="brand">{texts.common.product}</p>
    {children}
  </main>
)
