// The first page for a person who is not signed in: what Petstore is, and the two ways in. The ways come before the list,
// so that on a phone they are on the first screen.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Globe, Inbox, LayoutTemplate, PawPrint, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page } from '../ui/page.tsx'
import { WelcomeFrame } from './welcome-frame.tsx'

const words = texts.front

const icons: Readonly<Record<keyof typeof words.points, LucideIcon>> = {
  animals: PawPrint,
  site: LayoutTemplate,
  requests: Inbox,
  domain: Globe,
}

export const FrontPage = () => (
  <WelcomeFrame>
    <Page title={words.title} lead={words.lead}>
      <nav className="front-ways" aria-label={words.ways}>
        <Button size="lg" renderRoot={(props) => <Link to="/sign-up" {...props} />}>
          {words.signUp}
        </Button>
        <Button size="lg" variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {words.signIn}
        </Button>
      </nav>
      <ul className="front-points" aria-label={words.gets}>
        {Object.entries(words.points).map(([point, { title, text }]) => (
          <li key={point}>
            <Glyph of={icons[point as keyof typeof icons]} />
            <div>
              <strong>{title}</strong>
              <p className="plain quiet small">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  </WelcomeFrame>
)
