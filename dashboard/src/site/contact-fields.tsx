// The contact details of the store.

import { TextInput } from '@mantine/core'
import { MapPin } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { faultAt, fieldId, type FormProps } from './form.ts'
import { Group } from './group.tsx'

const words = texts.site
const inputs = { email: 'email', phone: 'tel', address: 'text' } as const

export const ContactFields = ({ fields, faults, edit, isFixed }: FormProps) => (
  <Group title={words.contact} icon={MapPin}>
    <p className="quiet small plain">{words.contactHelp}</p>
    {(['email', 'phone', 'address'] as const).map((name) => (
      <TextInput
        key={name}
        id={fieldId(name)}
        label={words.fields[name]}
        // What the device may fill in is not this person's own address, but the store's.
        autoComplete="off"
        inputMode={inputs[name]}
        value={fields[name]}
        error={faultAt(faults, name)}
        readOnly={isFixed}
        onChange={({ currentTarget }) => edit({ [name]: currentTarget.value })}
      />
    ))}
    {faults.contact !== undefined && (
      <p role="alert" className="site-fault small">
        {faultAt(faults, 'contact')}
      </p>
    )}
  </Group>
)
