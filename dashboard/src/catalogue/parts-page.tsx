// The shared parts of the dashboard, each in every form that pages use. Built for tests alone, and for people who
// change the look: one page shows what a change of a token or a rule does to all of them.

import { Button } from '@mantine/core'
import { Heart, Inbox, PawPrint } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Line, Bars, Meter, Ring } from '../ui/chart.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Page, Section } from '../ui/page.tsx'
import type { SceneName } from '../ui/scene.tsx'
import { Stat } from '../ui/stat.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'
import { Badges, Buttons, Lines, Notes, Table } from './parts-basic.tsx'
import { Choices, Fields, Toasts } from './parts-forms.tsx'
import './catalogue.css'

/** All of them, or it does not compile. */
const scenes: Readonly<Record<SceneName, string>> = {
  animals: 'No animals yet',
  domains: 'Three steps to your own domain',
  requests: 'No requests yet',
  search: 'Nothing found',
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title}>{children}</Section>
)

export const PartsPage = ({ title }: { title: string }) => (
  <main className="parts" id="content">
    <Page title={title} lead="Each part in every form that pages use." status={<Badges isOne />} actions={<Opening />}>
      <Part title="Buttons">
        <Buttons />
      </Part>
      <Part title="Badges, glyphs and people">
        <Badges />
      </Part>
      <Part title="Notes">
        <Notes />
      </Part>
      <Section title="Lines" isFlush>
        <Lines />
      </Section>
      <Part title="Table">
        <Table />
      </Part>
      <Part title="Fields">
        <Fields />
      </Part>
      <Part title="Choices">
        <Choices />
      </Part>
      <Numbers />
      <Part title="Toasts">
        <Toasts />
      </Part>
      <div className="tiles">
        {Object.entries(scenes).map(([name, words]) => (
          <Empty key={name} of={name as SceneName} title={words}>
            <p>One sentence that says why, and what to do.</p>
            <Button>Do it</Button>
          </Empty>
        ))}
      </div>
      <Loading />
    </Page>
  </main>
)

const week = [3, 4, 2, 6, 5, 8, 7]

const Numbers = () => (
  <div className="tiles">
    <div className="card stat">
      <Stat of={Inbox} name="Requests, week" value="11" change="+4">
        <Line values={week} says="Requests per day, rising" />
      </Stat>
    </div>
    <div className="card stat">
      <Stat of={Heart} name="Homes, November" value="9" change="+3">
        <Line values={week.toReversed()} says="Homes per day, falling" isSecond />
      </Stat>
    </div>
    <div className="card stat">
      <Stat of={PawPrint} name="Visits, week" value="1,284">
        <Bars values={[...week, ...week]} recent={7} says="Visits per day in two weeks" />
      </Stat>
    </div>
    <div className="card row whole">
      <Ring done={3} of={4} says="Three of four steps are done" />
      <div className="grow stack tight">
        <span className="small">38 of 100 animals</span>
        <Meter share={0.38} />
        <span className="small">10 of 10 domains</span>
        <Meter share={1} />
      </div>
    </div>
  </div>
)

function Opening() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open dialog
      </Button>
      <Dialog title="Remove this animal?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="stack">
          <p className="plain">Visitors will no longer see it.</p>
          <OrCancel onCancel={() => setOpen(false)}>
            <Button data-tone="danger">Remove</Button>
          </OrCancel>
        </div>
      </Dialog>
    </>
  )
}
