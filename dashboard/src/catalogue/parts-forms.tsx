// Fields, choices and toasts.

import { Checkbox, NativeSelect, Notification, Radio, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Notification.layer.css'
import { CircleCheck, LayoutGrid, List, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import * as texts from '../texts/texts.ts'
import { FormError } from '../ui/form-error.tsx'
import { Icon } from '../ui/icon.tsx'

export const Fields = () => (
  <>
    <TextInput label="Name" description="As visitors read it." placeholder="Ada" />
    <TextInput label="Chip number" defaultValue="12" error="A chip number has 15 digits. This one has 2." />
    <TextInput label="Address" defaultValue="willow-street" disabled />
    <NativeSelect label="Kind" data={['Dog', 'Cat', 'Rabbit']} />
    <Textarea label="Story" description="A few sentences." rows={3} />
    <FormError message="Nothing was saved. Check the fields above." />
  </>
)

const kinds = ['All', 'Dogs', 'Cats', 'Rabbits', 'Birds', 'Tortoises']
const views = [
  ['Cards', LayoutGrid],
  ['List', List],
] as const

export function Choices() {
  const [kind, setKind] = useState('All')
  const [view, setView] = useState('Cards')
  return (
    <>
      <div className="stack tight">
        <Checkbox label="Also add www" description="It will redirect." defaultChecked />
        <Checkbox label="Not chosen" />
        <Checkbox label="Some of them" indeterminate />
        <Checkbox label="Not possible" disabled />
      </div>
      <Radio.Group label="Plan" defaultValue="pro">
        <div className="stack tight">
          <Radio value="free" label="Free" description="No domain of your own." />
          <Radio value="pro" label="Pro" description="Ten domains." />
        </div>
      </Radio.Group>
      <div className="chips" data-scrolls>
        {kinds.map((name, index) => (
          <button key={name} type="button" className="chip" aria-pressed={name === kind} onClick={() => setKind(name)}>
            {name} <span className="num">{index * 7}</span>
          </button>
        ))}
      </div>
      <div>
        <div className="seg">
          {views.map(([name, icon]) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => setView(name)}>
              <Icon of={icon} size={16} />
              {name}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}

/** As the page shows them at its bottom, one after the other. */
export const Toasts = () => (
  <>
    <Notification
      icon={<Icon of={CircleCheck} />}
      mod={{ tone: 'good' }}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <span>Ada has been removed.</span>
      <button type="button" className="toast-action">
        {texts.common.undo}
      </button>
    </Notification>
    <Notification
      title={texts.common.notDone}
      icon={<Icon of={TriangleAlert} />}
      mod={{ tone: 'bad' }}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {texts.common.noAnswer}
    </Notification>
  </>
)
