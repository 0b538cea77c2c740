// The parts of a profile that are only inputs, each in a card of its own.

import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Printer } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { useProject } from '../shell/project-context.ts'
import { Icon } from '../ui/icon.tsx'
import { Section } from '../ui/page.tsx'
import { dayOf } from './age.ts'
import { currenciesWith, readFee, writeAmount } from './money.ts'
import { placeOf, type FormProps } from './profile-form.ts'
import { AnswerField, LineField, TextField } from './profile-inputs.tsx'

const words = texts.profiles

export const StoryFields = (form: FormProps) => (
  <Section title={words.groups.story}>
    <LineField name="headline" hint={words.hints.headline} maxLength={120} {...form} />
    <TextField name="story" hint={words.hints.story} rows={8} maxLength={10_000} {...form} />
  </Section>
)

export const CompanyFields = (form: FormProps) => (
  <Section title={words.groups.company}>
    <div className="profile-answers" id={placeOf('company')}>
      <AnswerField name="goodWithChildren" {...form} />
      <AnswerField name="goodWithDogs" {...form} />
      <AnswerField name="goodWithCats" {...form} />
    </div>
    <LineField name="goodWithNote" hint={words.hints.note} maxLength={200} {...form} />
  </Section>
)

export const HealthFields = (form: FormProps) => (
  <Section title={words.groups.health}>
    <div className="profile-answers" id={placeOf('health')}>
      <AnswerField name="isNeutered" {...form} />
      <AnswerField name="isVaccinated" {...form} />
      <AnswerField name="isHouseTrained" {...form} />
    </div>
    <TextField name="specialNeeds" hint={words.hints.needs} rows={2} maxLength={500} {...form} />
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
            description={words.hints.feeEmpty}
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
        <LineField name="location" hint={words.hints.location} maxLength={80} {...form} />
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
    <TextField name="internalNotes" rows={3} maxLength={5000} {...form} />
    <div className="profile-grid">
      <LineField name="chipNumber" hint={words.hints.chip} maxLength={23} {...form} />
      <LineField name="externalId" hint={words.hints.externalId} maxLength={100} {...form} />
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
