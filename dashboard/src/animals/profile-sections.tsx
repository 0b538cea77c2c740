// The parts of a profile that are only inputs, each in a card of its own.

import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { profileInputs } from '@petstore-platform/contract/platform/profile-inputs'
import { Printer } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { useProject } from '../shell/project-context.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { dayOf } from './age.ts'
import { currenciesWith, readFee, writeAmount } from './money.ts'
import { placeOf, type FormProps } from './profile-form.ts'
import { Inputs, LineField } from './profile-inputs.tsx'

const words = texts.profiles

export const StoryFields = (form: FormProps) => (
  <Section title={words.groups.story}>
    <Inputs group="story" {...form} />
  </Section>
)

export const CompanyFields = (form: FormProps) => (
  <Section title={words.groups.company}>
    <div className="profile-answers" id={placeOf('company')}>
      <Inputs group="company" types={['answer']} {...form} />
    </div>
    <Inputs group="company" {...form} />
  </Section>
)

export const HealthFields = (form: FormProps) => (
  <Section title={words.groups.health}>
    <div className="profile-answers" id={placeOf('health')}>
      <Inputs group="health" types={['answer']} {...form} />
    </div>
    <Inputs group="health" {...form} />
  </Section>
)

type TermProps = FormProps & { onCurrency: (currency: string) => void }

export function TermFields({ onCurrency, ...form }: TermProps) {
  const { fields, faults, edit, isFixed } = form
  const { kind } = useProject()
  const setFee = (amount: string, currency: string) => {
    edit({ fee: { amount, currency } })
    if (currency !== fields.fee.currency) onCurrency(currency)
  }
  return (
    <Section title={words.groups.terms}>
      <div className="profile-grid">
        <div className="profile-fee">
          <TextInput
            id={placeOf('fee')}
            label={words.fee(kind)}
            description={words.hints.fee}
            value={fields.fee.amount}
            error={faults.fee}
            readOnly={isFixed}
            inputMode="decimal"
            maxLength={40}
            autoComplete="off"
            placeholder={words.askUs}
            onChange={({ currentTarget: { value: amount } }) =>
              setFee(amount, readFee({ ...fields.fee, amount })?.currency ?? fields.fee.currency)
            }
          />
          <NativeSelect
            aria-label={words.currency}
            value={fields.fee.currency}
            disabled={isFixed}
            data={[...currenciesWith(fields.fee.currency)]}
            onChange={({ currentTarget: { value: currency } }) => {
              const read = readFee({ ...fields.fee, currency })
              // "120 €" would remain in euros.
              setFee(read && read.currency !== currency ? writeAmount(read) : fields.fee.amount, currency)
            }}
          />
        </div>
        <Inputs group="terms" {...form} />
        <TextInput
          id={placeOf('inCareSince')}
          type="date"
          label={words.fields.inCareSince}
          value={fields.inCareSince}
          error={faults.inCareSince}
          readOnly={isFixed}
          min="1900-01-01"
          max={dayOf(new Date())}
          onChange={({ currentTarget }) => edit({ inCareSince: currentTarget.value })}
        />
      </div>
    </Section>
  )
}

export const TeamFields = (form: FormProps) => (
  <Section title={words.groups.team}>
    <p className="quiet small plain">{words.hints.team}</p>
    <Inputs group="team" types={['text']} {...form} />
    <div className="profile-grid">
      <LineField name="chipNumber" maxLength={profileInputs.chipNumber.lengthMax} {...form} />
      <Inputs group="team" types={['line', 'choice']} {...form} />
    </div>
  </Section>
)

type SiteProps = FormProps & {
  /** Of its printable page; undefined if it is not on the site. */
  printUrl: string | undefined
}

export const SiteFields = ({ printUrl, fields, edit, isFixed }: SiteProps) => (
  <Section title={words.groups.site}>
    <Checkbox
      label={words.fields.isHidden}
      description={fields.isHidden ? words.hints.hidden : undefined}
      checked={!fields.isHidden}
      disabled={isFixed}
      onChange={({ currentTarget }) => edit({ isHidden: !currentTarget.checked })}
    />
    <Checkbox
      label={words.fields.isFeatured}
      checked={fields.isFeatured}
      disabled={isFixed}
      onChange={({ currentTarget }) => edit({ isFeatured: currentTarget.checked })}
    />
    {printUrl !== undefined && (
      <a className="row tight small" href={printUrl} target="_blank" rel="noreferrer">
        <Icon of={Printer} size={18} />
        {words.print} <span className="visually-hidden">{words.newWindow}</span>
      </a>
    )}
  </Section>
)
