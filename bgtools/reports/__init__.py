"""What people see: findings, boards, tables and figures. Submodules import what they need when used."""
