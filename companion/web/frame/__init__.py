"""What pages share: forms, faces, cards and numbers in words, files to take away."""
