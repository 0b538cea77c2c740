// All projects of the person, and a new one. A person without projects gets a welcome.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { query } from '../api.ts'
import { PersonalPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import welcome from '../ui/art/welcome.svg'
import { CreateProject } from './create-project.tsx'
import { ProjectCard } from './project-card.tsx'
import type { ListedProject } from './views.ts'
import './projects-list.css'

const words = texts.projects

export function ProjectsPage() {
  const projects = useQuery(query('listProjects'))
  return (
    <PersonalPage>
      {projects.data?.length === 0 ? (
        <Welcome />
      ) : projects.data ? (
        <List projects={projects.data} />
      ) : (
        <Page title={words.title}>
          <Loaded from={projects}>{() => null}</Loaded>
        </Page>
      )}
    </PersonalPage>
  )
}

function List({ projects }: { projects: readonly ListedProject[] }) {
  const [isAdding, setIsAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const cancel = () => {
    setIsAdding(false)
    opener.current?.focus()
  }
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button
          ref={opener}
          aria-expanded={isAdding}
          {...(isAdding && { variant: 'default' })}
          leftSection={<Icon of={Plus} size={18} />}
          onClick={() => setIsAdding(true)}
        >
          {words.add}
        </Button>
      }
    >
      {isAdding && <CreateProject onCancel={cancel} />}
      <ul className="project-cards">
        {projects.map((project) => (
          <ProjectCard key={project.slug} project={project} />
        ))}
      </ul>
    </Page>
  )
}

const Welcome = () => (
  <div className="welcome">
    <Page title={words.welcome.title} lead={words.welcome.lead}>
      <CreateProject />
      <p className="quiet small plain">{words.welcome.invited}</p>
    </Page>
    <div className="welcome-side">
      <img src={welcome} alt="" width={720} height={800} />
      <ol>
        {words.welcome.next.map(({ title, text }) => (
          <li key={title}>
            <strong>{title}</strong>
            <span className="quiet small">{text}</span>
          </li>
        ))}
      </ol>
    </div>
  </div>
)
