/**
 * Text of the agent's systemd unit file (systemd.service(5), systemd.exec(5)). Its sandbox options allow the agent to read the machine but
 * not to change it, except for files of its own.
 */
export const SERVICE_UNIT = `[Unit]
Description=Vedette agent
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=/usr/local/bin/vedette-agent
EnvironmentFile=/etc/vedette-agent.env
Restart=always
RestartSec=5

# A user that is there while the service runs, and a folder for its fingerprint and host key.
DynamicUser=yes
StateDirectory=vedette-agent
StateDirectoryMode=0700
# Lets it read containers; only where there is such a group.
#SupplementaryGroups=docker

# The agent takes 5 MB, on Node.js 80 MB; the rest is for nvidia-smi and smartctl.
MemoryMax=256M
TasksMax=64
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateMounts=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
# Of devices only what nvidia-smi asks.
DevicePolicy=closed
DeviceAllow=char-nvidia* rw
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# What it takes from itself at its start.
SystemCallFilter=seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
SystemCallErrorNumber=EPERM
UMask=0077

[Install]
WantedBy=multi-user.target
`
