from histolab_program import SOURCE


def make(folder, traps):
    targets = {"eve": traps.outside / "ada.cu",
               "mallory": SOURCE / "labs" / "02-atomic-add" / "solution.cu",
               "trudy": "02-atomic-add.cu", "oscar": "/dev/zero"}
    for student, target in targets.items():
        (folder / student).mkdir()
        (folder / student / "02-atomic-add.cu").symlink_to(target)
    (folder / "peggy").symlink_to(traps.outside)
    (folder / "sybil").mkdir()
    (folder / "sybil" / "up").symlink_to("../..")
