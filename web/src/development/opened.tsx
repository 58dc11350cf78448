import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../ui/menu.tsx'
import { MenuOnDemand } from '../ui/menu-on-demand.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { TextField } from '../ui/text-field.tsx'
import { showToast } from '../ui/toasts.ts'
import { DevelopmentSection, State } from './part.tsx'

type Opened = 'dialog' | 'wide dialog' | 'question' | 'sheet'

const nothing = () => undefined
const isThere = async () => undefined

/** React component: section of the development page, with buttons that open dialogs, menus, sheets and toasts. */
export function OpenedParts() {
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const open = (part: Opened) => <Button onClick={() => setOpened(part)}>Open the {part}</Button>
  return (
    <>
      <DevelopmentSection name="Dialog and Sheet">
        <State name="Dialog">{open('dialog')}</State>
        <State name="Dialog for long texts">{open('wide dialog')}</State>
        <State name="Question">{open('question')}</State>
        <State name="Sheet">{open('sheet')}</State>
      </DevelopmentSection>
      <DevelopmentSection name="Menu">
        <State name="Opened by its button">
          <MenuOnDemand
            button={{ 'aria-label': 'Menu of web', look: 'icon', children: <Icon name="dots" /> }}
            load={isThere}
            renderFailed={nothing}
            renderMenu={(trigger) => (
              <Menu trigger={trigger} align="start">
                <MenuLabel>web</MenuLabel>
                <MenuItem onSelect={nothing}>Edit</MenuItem>
                <MenuLink href="./">Open in a new tab</MenuLink>
                <MenuSeparator />
                <MenuChoices
                  choices={[
                    { value: 'light', label: 'Light' },
                    { value: 'dark', label: 'Dark' },
                  ]}
                  value="light"
                  onChange={nothing}
                />
                <MenuSeparator />
                <MenuItem danger onSelect={nothing}>
                  Delete
                </MenuItem>
              </Menu>
            )}
          />
        </State>
      </DevelopmentSection>
      <DevelopmentSection name="Toaster">
        <State name="In passing">
          <Button onClick={() => showToast({ title: 'Saved' })}>Show a toast</Button>
        </State>
        <State name="Failure with an action">
          <Button
            onClick={() =>
              showToast({
                title: 'Cannot add "web"',
                description: 'The name is taken.',
                look: 'destructive',
                action: { label: 'Open again', onPress: nothing },
              })
            }
          >
            Show a failure
          </Button>
        </State>
      </DevelopmentSection>
      {(opened === 'dialog' || opened === 'wide dialog') && (
        <Dialog title="Add system" description="Start the agent first." isWide={opened === 'wide dialog'} onClose={close}>
          <TextField label="System name" />
        </Dialog>
      )}
      {opened === 'question' && (
        <Dialog role="alertdialog" title="Delete web?" description="Its history goes with it." onClose={close}>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            <Button look="danger" onClick={close}>
              Delete
            </Button>
          </div>
        </Dialog>
      )}
      {opened === 'sheet' && (
        <Sheet title="Alerts for web" description="Each rule is stored as it is set." onClose={close}>
          <TextField label="Rule" />
        </Sheet>
      )}
    </>
  )
}
