// All projects of the person, and a new one. A person without projects gets a welcome.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { query } from '../api.ts'
import { PersonalPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { CreateProject } from './create-project.tsx'
import { ProjectCard } from './project-card.tsx'
import type { ListedProject } from './views.ts'
import './projects.css'

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
        <Button ref={opener} aria-expanded={isAdding} onClick={() => setIsAdding(true)}>
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
  <Page title={words.welcome.title} lead={words.welcome.lead}>
    <ol className="welcome">
      {words.welcome.next.map(({ title, text }) => (
        <li key={title}>
          <strong>{title}</strong>
          <span className="quiet small">{text}</span>
        </li>
      ))}
    </ol>
    <CreateProject />
    <p className="quiet small">{words.welcome.invited}</p>
  </Page>
)
