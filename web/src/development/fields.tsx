import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DateTimeField } from '../ui/date-time-field.tsx'
import { Form } from '../ui/form.tsx'
import { FormError } from '../ui/form-error.tsx'
import { NewPasswordField } from '../ui/new-password-field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { Select } from '../ui/select.tsx'
import { Slider } from '../ui/slider.tsx'
import { SwitchField } from '../ui/switch-field.tsx'
import { ScanFields } from '../ui/scan-fields.tsx'
import { TagChoiceField } from '../ui/tag-choice-field.tsx'
import { TagField } from '../ui/tag-field.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { DevelopmentSection, State } from './part.tsx'

const choices = [
  { value: 'none', label: 'None' },
  { value: 'web', label: 'web', group: 'Containers' },
  { value: 'mail', label: 'mail', group: 'Containers' },
  { value: 'sshd', label: 'sshd', group: 'Services' },
] as const

export function Fields() {
  const [text, setText] = useState('some text')
  const [number, setNumber] = useState<number | undefined>(80)
  const [choice, setChoice] = useState<(typeof choices)[number]['value']>('none')
  const [isOn, setOn] = useState(true)
  const [moment, setMoment] = useState('2026-01-31T09:30')
  return (
    <>
      <DevelopmentSection name="TextField">
        <State name="Empty">
          <TextField label="Name" />
        </State>
        <State name="With a hint">
          <TextField label="Host" hint="A name or an address" defaultValue="web-1.example.com" />
        </State>
        <State name="With an error">
          <TextField label="Port" error="A whole number from 1 to 65535" defaultValue="70000" />
        </State>
        <State name="Read-only">
          <TextField label="Public key" readOnly value="ssh-ed25519 AAAA" />
        </State>
        <State name="Disabled">
          <TextField label="Password" type="password" disabled defaultValue="secret" />
        </State>
        <State name="Hidden label">
          <TextField label="Hidden" isLabelHidden placeholder="Hidden" />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="TextAreaField">
        <State name="Full">
          <TextAreaField label="Networks" hint="One a line" rows={3} value={text} onChange={setText} />
        </State>
        <State name="With an error">
          <TextAreaField label="JSON" error="This is not valid JSON" rows={3} value={text} onChange={setText} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="NewPasswordField">
        <State name="Empty">
          <NewPasswordField label="New password" />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="NumberField">
        <State name="In range">
          <NumberField label="Threshold" value={number} min={1} max={99} step={1} required onCommit={setNumber} />
        </State>
        <State name="May be empty">
          <NumberField label="Days" hint="Empty: for ever" value={undefined} onCommit={setNumber} />
        </State>
        <State name="With an error">
          <NumberField label="Rows" error="Enter a number" value={12} onCommit={setNumber} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="SelectField">
        <State name="With groups">
          <SelectField label="Part" choices={choices} value={choice} onChange={setChoice} />
        </State>
        <State name="With an error">
          <SelectField label="Method" error="Choose one" choices={choices} value={choice} onChange={setChoice} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Select">
        <State name="Chosen" isWide>
          <Select label="Time zone" hint="Of all times" choices={choices} value={choice} onChange={setChoice} />
        </State>
        <State name="Disabled" isWide>
          <Select label="Language" choices={choices} value={choice} disabled onChange={setChoice} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="DateTimeField">
        <State name="Date and time">
          <DateTimeField label="From" kind="date and time" value={moment} onChange={setMoment} />
        </State>
        <State name="Time of day">
          <DateTimeField label="Until" kind="time" value="22:00" onChange={setMoment} />
        </State>
        <State name="With an error">
          <DateTimeField label="To" kind="date and time" error="Must be after the start" value={moment} onChange={setMoment} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="SearchField">
        <State name="Empty">
          <SearchField label="Search systems" value="" onChange={setText} className="h-9 w-full" />
        </State>
        <State name="Full">
          <SearchField label="Search containers" value={text} onChange={setText} className="h-7 w-full" />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="SwitchField">
        <State name="On">
          <SwitchField label="Send mail" name="on" hint="Through your own server" isOn={isOn} onChange={setOn} />
        </State>
        <State name="Off">
          <SwitchField label="Keep addresses" name="off" isOn={false} onChange={setOn} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="ScanFields with QrCode">
        <State name="Plain" isWide>
          <ScanFields
            app={{ uri: 'otpauth://totp/Vedette:a%40example.com?secret=JBSWY3DPEHPK3PXP', secret: 'JBSWY3DPEHPK3PXP' }}
            labels={{ code: 'QR code', secret: 'Secret', copy: 'Copy', copied: 'Copied', copyManually: 'Copy it by hand' }}
          />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="TagField">
        <State name="With proposals">
          <TagField
            label="Add tags"
            hint="Enter adds the tag"
            typed=""
            proposals={['env=prod', 'database']}
            onType={setText}
            onAdd={setText}
          />
        </State>
        <State name="For one tag">
          <TagField label="Tag" isSingle typed="env=prod" proposals={['env=prod']} onType={setText} onAdd={setText} />
        </State>
        <State name="With an error">
          <TagField label="Remove tags" action="Select" error="No quotes" typed='a"b' proposals={[]} onType={setText} onAdd={setText} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="TagChoiceField">
        <State name="With chosen tags">
          <TagChoiceField
            label="Tags"
            name="tags"
            proposals={['env=prod', 'database']}
            choice={{ tags: ['rack=4'], typed: '' }}
            onChange={({ typed }) => setText(typed)}
          />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Slider">
        <State name="With its number" isWide>
          <Slider label="Level" unit="%" min={1} max={99} step={1} value={number ?? 1} onChange={setNumber} />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="SegmentedControl">
        <State name="One pressed">
          <SegmentedControl
            label="Range"
            segments={[
              { value: '1h', label: '1h', name: '1 hour' },
              { value: '12h', label: '12h', name: '12 hours' },
            ]}
            value="1h"
            onChange={() => undefined}
          />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Form">
        <State name="Empty: send it to see its errors">
          <Form
            onSubmit={() => undefined}
            check={(textOf) => (textOf('again') === textOf('email') ? {} : { again: 'Not the same as above' })}
          >
            <TextField label="Email" name="email" type="email" required />
            <TextField label="Email, again" name="again" required />
            <Button look="primary" type="submit" className="self-start">
              Send
            </Button>
          </Form>
        </State>
        <State name="Refused">
          <FormError message="The hub refused this." />
        </State>
      </DevelopmentSection>
    </>
  )
}
