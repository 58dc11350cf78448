import type { Role } from '../../../api/client.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import * as words from '../../../words/messages.js'

const LONGEST_CLAIM = 255

/** List of the roles that a group can give to the members that a provider's claim adds; the empty string leaves their role unchanged. */
const roles = ['', 'readonly', 'user', 'admin'] as const satisfies readonly (Role | '')[]

const roleNames: Readonly<Record<Role | '', () => string>> = {
  '': words.group_role_none,
  readonly: words.role_readonly,
  user: words.role_user,
  admin: words.role_admin,
}

type ClaimFieldsProps = { claim: string; role: Role | ''; onClaim: (claim: string) => void; onRole: (role: Role | '') => void }

/**
 * React component: form fields of a group whose members come from the sign-in provider's groups claim. They are `claim`, the claim's value,
 * and once it is typed, the `role` that members get.
 */
export const ClaimFields = ({ claim, role, onClaim, onRole }: ClaimFieldsProps) => (
  <>
    <TextField
      label={words.group_claim()}
      name="claim"
      maxLength={LONGEST_CLAIM}
      autoComplete="off"
      hint={words.group_claim_about()}
      value={claim}
      onChange={({ target }) => onClaim(target.value)}
    />
    {claim.trim() !== '' && (
      <SelectField
        label={words.group_role()}
        name="role"
        hint={role === 'admin' ? words.group_role_admin() : undefined}
        choices={roles.map((value) => ({ value, label: roleNames[value]() }))}
        value={role}
        onChange={onRole}
      />
    )}
  </>
)
