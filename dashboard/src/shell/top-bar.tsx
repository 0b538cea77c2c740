// What is at the top of every page of somebody who is signed in: where one is, and the
// menu of the person.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { query } from '../api.ts'
import { texts } from '../texts/texts.ts'

const loadMenus = () => import('./menus.tsx')
const PersonMenu = lazy(async () => ({ default: (await loadMenus()).PersonMenu }))
const ProjectMenu = lazy(async () => ({ default: (await loadMenus()).ProjectMenu }))

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
        {project !== undefined && (
          <Suspense fallback={<Waiting variant="default" className="switcher" name={`${project} ▾`} />}>
            <ProjectMenu name={project} />
          </Suspense>
        )}
      </div>
      <Suspense fallback={<Waiting variant="subtle" className="person" name={name} />}>
        <PersonMenu name={name} />
      </Suspense>
    </header>
  )
}

/** Looks as the button of the menu will. */
const Waiting = ({ name, variant, className }: { name: string; variant: 'default' | 'subtle'; className: string }) => (
  <Button variant={variant} size="sm" className={className}>
    {name}
  </Button>
)

/** A page of a person, without a project. */
export const PersonalPage = ({ children }: { children: ReactNode }) => (
  <>
    <TopBar />
    <main id="content" className="content narrow">
      {children}
    </main>
  </>
)

/** A page for somebody who may not be signed in. */
export const OpenPage = ({ children }: { children: ReactNode }) => (
  <main id="content" className="content open">
    <p className="brand">{texts.common.product}</p>
    {children}
  </main>
)
