/**
 * Lines of a systemd drop-in file for the agent's unit that grants the privileges (Linux capabilities) to open drives. The agent passes
 * them only to the programs that it starts.
 */
export const DRIVE_ACCESS_LINES: readonly string[] = [
  '[Service]',
  'AmbientCapabilities=CAP_SYS_RAWIO CAP_SYS_ADMIN CAP_DAC_OVERRIDE',
  'CapabilityBoundingSet=CAP_SYS_RAWIO CAP_SYS_ADMIN CAP_DAC_OVERRIDE',
  'SystemCallFilter=capset',
  'DeviceAllow=block-sd rw',
  'DeviceAllow=block-blkext rw',
  'DeviceAllow=char-nvme rw',
]

const FOLDER = '/etc/systemd/system/vedette-agent.service.d'

/**
 * Shell command, to be run as root, that installs the systemd drop-in with the privileges to open drives, and restarts the agent's service.
 */
export const DRIVE_ACCESS_COMMAND = [
  `mkdir -p ${FOLDER}`,
  `printf '%s\\n' ${DRIVE_ACCESS_LINES.map((line) => `'${line}'`).join(' ')} > ${FOLDER}/drives.conf`,
  'systemctl daemon-reload',
  'systemctl restart vedette-agent',
].join(' && ')
