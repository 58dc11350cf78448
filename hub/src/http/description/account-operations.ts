import type { Operation } from './operation.ts'

/** The operations that everybody has on their own account. */
export const accountOperations: readonly Operation[] = [
  {
    call: 'POST /api/account/profile',
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Changes one’s own name and the like',
    body: ['username', 'emailVisibility'],
  },
  {
    call: 'POST /api/account/password',
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Changes one’s own password and ends the other sessions',
    body: ['oldPassword', 'password', 'passwordConfirm'],
  },
  { call: 'GET /api/account/settings', tag: 'sign-in', asker: 'signed in', summary: 'One’s own settings: `settings`' },
  {
    call: 'PATCH /api/account/settings',
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Merges into one’s own settings; adds and removes single notification addresses',
    body: ['merge', 'add', 'remove'],
  },
  {
    call: 'GET /api/account/quiet-hours',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'One’s own quiet hours, and the time zone they are in',
  },
  {
    call: 'POST /api/account/quiet-hours',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'Adds quiet hours; 409 if another time zone is in force',
    body: ['zone', 'type', 'system', 'start', 'end'],
  },
  {
    call: 'PATCH /api/account/quiet-hours',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'Moves daily quiet hours to another time zone, at the same times of day; 409 if `was` is no longer in force',
    body: ['zone', 'was'],
  },
  { call: 'GET /api/account/sessions', tag: 'sign-in', asker: 'signed in', summary: 'Where one is signed in' },
  { call: 'DELETE /api/account/sessions', tag: 'sign-in', asker: 'signed in', summary: 'Ends all one’s sessions and starts a new one' },
  {
    call: 'DELETE /api/account/sessions/{id}',
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Ends one of one’s sessions, and what it follows, at once',
    answers: 'nothing',
  },
  {
    call: 'POST /api/account/email',
    tag: 'sign-in',
    asker: 'signed in',
    summary: 'Mails a link to a new address of one’s own, that confirms it',
    body: ['newEmail'],
    answers: 'nothing',
  },
]
