// The first page of a project: what waits for the person, then numbers, the site, and what is still to be set up. It is
// polled while it is open, so that it stays up to date.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Plus } from 'lucide-react'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNow } from '../ui/now.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Decisions } from './decisions.tsx'
import { dayPartOf, firstNameOf } from './greeting.ts'
import { KindNote } from './kind-note.tsx'
import { Numbers } from './numbers.tsx'
import { SetUp } from './set-up.tsx'
import { SiteCard } from './site-card.tsx'
import { countOf, todosOf, type Todo } from './todo.ts'
import { TodoList } from './todo-list.tsx'
import type { Overview } from './views.ts'
import './start.css'

const { greeting: words } = texts.start
const AGAIN_MS = 5000
const MINUTE_MS = 60_000

export function StartPage() {
  const { slug, name } = useProject()
  const now = useNow(MINUTE_MS)
  const account = useQuery(query('getAccount'))
  const overview = useQuery({ ...query('getOverview', { project: slug }), refetchInterval: AGAIN_MS })
  const title = words.to(words[dayPartOf(new Date(now).getHours())], firstNameOf(account.data?.name ?? ''))
  return (
    <Page
      title={title}
      windowTitle={name}
      lead={
        <span className="home-lead">
          {words.day(new Date(now))} {overview.data && summaryOf(overview.data)}
        </span>
      }
      actions={<Actions isPublished={overview.data !== undefined && overview.data.currentDeployment !== null} />}
    >
      <Loaded from={overview}>
        {(data) => (
          <>
            <KindNote />
            <Content overview={data} now={now} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function summaryOf(overview: Overview): string {
  const count = countOf(todosOf(overview))
  if (count > 0) return words.things(count)
  return overview.currentDeployment === null ? words.setUp : words.nothing
}

function Actions({ isPublished }: { isPublished: boolean }) {
  const { slug, siteUrl, mayEdit } = useProject()
  return (
    <>
      {isPublished && (
        <Button
          component="a"
          variant="default"
          href={siteUrl}
          target="_blank"
          rel="noreferrer"
          leftSection={<Icon of={ArrowUpRight} size={18} />}
        >
          {texts.start.viewSite} <span className="visually-hidden">{texts.start.newWindow}</span>
        </Button>
      )}
      {mayEdit && (
        <Button
          leftSection={<Icon of={Plus} size={18} />}
          renderRoot={(props) => (
            <Link to="/projects/$project/animals" params={{ project: slug }} search={{ add: true }} {...props} />
          )}
        >
          {texts.common.addAnimal}
        </Button>
      )}
    </>
  )
}

/** Before the site is published, setting it up comes first; afterwards it is where there is room. */
function Content({ overview, now }: { overview: Overview; now: number }) {
  const todos: readonly Todo[] = todosOf(overview)
  const isPublished = overview.currentDeployment !== null
  const decided = overview.lastOrders.filter(({ decidedAt }) => decidedAt !== null)
  const optional = isPublished && <SetUp steps={overview.steps} isOptional />
  return (
    <div className="beside">
      <div className="stack home-column">
        {!isPublished && <SetUp steps={overview.steps} isOptional={false} />}
        {(isPublished || todos.length > 0) && <TodoList todos={todos} now={now} />}
        <Numbers overview={overview} />
        {decided.length > 0 ? <Decisions orders={decided} /> : optional}
      </div>
      <div className="stack home-column">
        <SiteCard overview={overview} />
        {decided.length > 0 && optional}
      </div>
    </div>
  )
}
